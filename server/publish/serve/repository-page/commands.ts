import type { Technology } from "@packhouse/contract/technology";

interface Commands {
  /** Below the address of the repository: what clients are given, and a file that shows the index. */
  index: { client: string; read: string };
  install: readonly { client: string; command: string }[];
}

/** How clients install from a repository. Its address has no character that has a meaning in quotes. */
export const commands: { [T in Technology]: (address: string, name: string) => Commands } = {
  R(address) {
    const repos = `c(packhouse = "${address}", getOption("repos"))`;
    return {
      index: { client: "", read: "/src/contrib/PACKAGES" },
      install: [
        { client: "R", command: `install.packages("PACKAGE", repos = ${repos})` },
        { client: "renv", command: `options(repos = ${repos})\nrenv::install("PACKAGE")` },
        { client: "pak", command: `options(repos = ${repos})\npak::pkg_install("PACKAGE")` },
      ],
    };
  },
  Python(address, name) {
    const index = `${address}/simple/`;
    const source = `name = "${name.replace(/[^A-Za-z0-9_-]/g, "-")}"\nurl = "${index}"`;
    return {
      index: { client: "/simple/", read: "/simple/" },
      install: [
        { client: "pip", command: `pip install --index-url "${index}" PACKAGE` },
        { client: "uv", command: `uv pip install --index-url "${index}" PACKAGE` },
        { client: "uv (pyproject.toml)", command: `[[tool.uv.index]]\n${source}\ndefault = true` },
        { client: "Poetry (pyproject.toml)", command: `[[tool.poetry.source]]\n${source}\npriority = "primary"` },
      ],
    };
  },
};
