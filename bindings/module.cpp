// The module maxmin._core, and how the core's errors become Python's.
#include "module.hpp"

#include <nanobind/nanobind.h>

#include "maxmin/core.hpp"

namespace nb = nanobind;

namespace {

void raise(const char* name, const nb::object& argument) {
  const nb::object type = nb::module_::import_("maxmin.errors").attr(name);
  PyErr_SetObject(type.ptr(), argument.ptr());
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const maxmin::NotTimeable& error) {
    nb::list infosets;
    for (const maxmin::Index infoset : error.infosets) infosets.append(infoset);
    raise("NotTimeableError", infosets);
  } catch (const maxmin::TooLarge& error) {
    raise("SizeError", nb::str(error.what()));
  } catch (const maxmin::Cancelled& error) {
    raise("Cancelled", nb::str(error.what()));
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The native core: belief DAGs, solvers and Battleship on flat arrays.";
  nb::register_exception_translator(translate);
#ifdef NDEBUG
  nb::set_leak_warnings(false);  // what a daemon thread or a kept traceback still holds at exit is no fault of ours
#endif
  bind_battleship(module);
  bind_decision(module);
  bind_guts(module);
  bind_matrix(module);
  bind_restricted_dag(module);
  bind_sampling(module);
  bind_search(module);
  bind_solve(module);
}
