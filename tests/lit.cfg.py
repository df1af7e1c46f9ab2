# Runs the tests under LLVM's own lit and FileCheck: `lit -D tools=target/debug tests` from the root of the checkout, with
# LLVM's tools on the PATH, and `-D llvm=0` where ours were built without LLVM. The settings are those of lit.suite.toml.

import os
import shutil
import tomllib

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
tools = os.path.abspath(lit_config.params.get("tools", os.path.join(here, "..", "target", "debug")))
with open(os.path.join(here, "lit.suite.toml"), "rb") as file:
    suite = tomllib.load(file)

config.name = suite["name"]
config.test_format = lit.formats.ShTest(execute_external=True)
config.pipefail = suite["format"]["shtest"]["pipefail"]
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = here
config.test_exec_root = os.path.join(tools, "lit")
config.environment["PATH"] = os.pathsep.join([tools, config.environment["PATH"]])
config.substitutions.extend(suite["substitutions"].items())
config.recursiveExpansionLimit = 3

if shutil.which("mlir-opt", path=config.environment["PATH"]):
    config.available_features.add("mlir-opt")
if lit_config.params.get("llvm", "1") == "1":
    config.available_features.add("llvm")
