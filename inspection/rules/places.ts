/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** What follows the last dot of a name, in lower case; empty without one. */
export function extensionOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot < 1 ? "" : name.slice(dot + 1).toLowerCase();
}

const codeExtensions = new Set(
  "r py pyw pyx pyi pth sh bash zsh fish c cc cpp cxx h hh hpp f f90 f95 m mm js mjs cjs ts pl ps1 bat cmd rb go rs java lua stan in ac am".split(
    " ",
  ),
);
const nativeExtensions = new Set("c cc cpp cxx h hh hpp m mm pyx pxi rs f f90 f95".split(" "));
/** Parts of such files, which they include. */
const partExtensions = new Set("inc inl ipp tpp tcc txx hxx c++ h++ def tbl tab cu cuh ii".split(" "));

/** Whether a file is code that is compiled. */
export const isNative = (path: string): boolean =>
  nativeExtensions.has(extensionOf(path)) || partExtensions.has(extensionOf(path));

const codeNames = new Set(["configure", "cleanup", "Makefile", "makefile", "Makevars", "bootstrap.R", ".Rprofile"]);

/** Whether people and machines read the file as a program. */
export const isProgram = (path: string): boolean =>
  codeExtensions.has(extensionOf(path)) ||
  codeNames.has(nameOf(path)) ||
  /^(configure|cleanup|Makevars)\./.test(nameOf(path));

/** What R, Python, shells, `make` and compilers read, and the documents that contain code. */
const textExtensions = new Set(
  "r py pyw pyx pxd pxi pyi pth sh bash zsh ksh c cc cpp cxx h hh hpp inc f f90 f95 rs pl ps1 bat cmd toml cfg ac am mk cmake rd rmd rnw qmd".split(
    " ",
  ),
);
const textNames = new Set([
  ...codeNames,
  "GNUmakefile",
  "NAMESPACE",
  "DESCRIPTION",
  "CITATION",
  "datalist",
  "entry_points.txt",
  "top_level.txt",
]);

/** Whether a file is run or read as text by its name or place, whatever is in it. */
export const isReadAsText = (path: string): boolean =>
  textExtensions.has(extensionOf(path)) ||
  textNames.has(nameOf(path)) ||
  /^(configure|cleanup|Makevars|Makefile)\./.test(nameOf(path)) ||
  /^R\/(?:unix\/|windows\/)?[^/]+\.[qs]$/i.test(path);

const testFolders = new Set(["test", "tests", "testing", "testdata", "testthat", "tinytest", "unitTests", "fixtures"]);

/** Whether a file of Python is named as pytest's are. */
export const isTestFile = (path: string): boolean => /^(test_.*|.*_test|conftest)\.py$/.test(nameOf(path));

/** Whether a file serves the package's own tests. */
export const isOfTests = (path: string): boolean =>
  path
    .split("/")
    .slice(0, -1)
    .some((folder) => testFolders.has(folder)) || isTestFile(path);
