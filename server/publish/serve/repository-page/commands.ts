import type { Technology } from "@packhouse/contract/technology";

interface Commands {
  /** Below the address of the repository: what clients are given, and a file that shows the index. */
  index: { client: string; read: string };
  install: readonly { client: string; command: string }[];
}

interface Place {
  name: string;
  /** Has no character that has a meaning in quotes. */
  address: string;
  /** R: where binaries are, below the address; empty for none. */
  below: string;
}

/** R for Linux gets binaries only if it says what it is. */
const agent = `options(HTTPUserAgent = sprintf("R/%s R (%s)", getRversion(),
  paste(getRversion(), R.version["platform"], R.version["arch"], R.version["os"])))
`;

/** How clients install from a repository. */
export const commands: { [T in Technology]: (place: Place) => Commands } = {
  R({ address, below }) {
    const binaries = below === "" ? "" : `packhouse_binary = "${address}${below}", `;
    const repos = `c(${binaries}packhouse = "${address}", getOption("repos"))`;
    return {
      index: { client: "", read: "/src/contrib/PACKAGES" },
      install: [
        { client: "R", command: `${below === "" ? "" : agent}install.packages("PACKAGE", repos = ${repos})` },
        { client: "renv", command: `options(repos = ${repos})\nrenv::install("PACKAGE")` },
        { client: "pak", command: `options(repos = ${repos})\npak::pkg_install("PACKAGE")` },
      ],
    };
  },
  Python({ address, name }) {
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
