#pragma once

#include <nanobind/nanobind.h>

void bind_battleship(nanobind::module_& module);
void bind_decision(nanobind::module_& module);
void bind_guts(nanobind::module_& module);
void bind_matrix(nanobind::module_& module);
void bind_restricted_dag(nanobind::module_& module);
void bind_sampling(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_solve(nanobind::module_& module);
