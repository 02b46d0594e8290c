import type { Place } from "../syntax/syntax.ts";
import type { FileCode } from "./file-code.ts";
import { changedAttributes } from "./reach-rules.ts";

/** `builtins.__import__ = own`, `sys.meta_path[:0] = [own]`, `sys.modules["requests"] = own` */
export function readAssignment(code: FileCode, place: Place): void {
  const { syntax, names } = code;
  const left = syntax.child(place, "left");
  const isPart = left !== undefined && syntax.kind(left) === "subscript";
  const target = isPart ? left + 1 : left;
  if (target === undefined || syntax.kind(target) !== "attribute") return;
  const object = syntax.child(target, "object");
  const attribute = syntax.child(target, "attribute");
  const owner = object === undefined ? undefined : names.resolve(object)?.name;
  // Without its owner, the attribute would be known by what is assigned to it here.
  const name = owner === undefined || attribute === undefined ? undefined : names.resolve(target)?.name;
  if (name !== undefined && changedAttributes.has(name))
    code.add("import-hook", place, { subject: name, isRaised: true });
  const key = isPart && name === "sys.modules" ? syntax.child(left, "subscript") : undefined;
  const module = key === undefined ? undefined : names.textOf(key)?.text;
  if (module !== undefined && !isOwn(code.path, module))
    code.add("import-hook", place, { subject: `sys.modules: ${module}`, isRaised: true });
}

/** Whether a module's name begins with that of a folder that this file is in, or with its own. */
function isOwn(path: string, module: string): boolean {
  const [top = ""] = module.split(".");
  return path
    .replace(/\.pyw?$/, "")
    .split("/")
    .includes(top);
}
