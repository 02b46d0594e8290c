import type { Technology } from "@packhouse/contract/technology";

interface Commands {
  /** Below the address of the repository: what clients are given, and a file that shows the index. */
  index: { client: string; read: string };
  install: readonly { client: string; command: string }[];
}

interface Place {
  name: string;
  /** Like all addresses here without a character that has a meaning in quotes. */
  address: string;
  /** The same with placeholders for credentials if they are required. */
  used: string;
  /** R: where binaries are, below the address; empty for none. */
  below: string;
}

/** R for Linux gets binaries only if it says what it is. */
const agent = `options(HTTPUserAgent = sprintf("R/%s R (%s)", getRversion(),
  paste(getRversion(), R.version["platform"], R.version["arch"], R.version["os"])))
`;

/** How clients install from a repository. */
export const commands: { [T in Technology]: (place: Place) => Commands } = {
  R({ used, below }) {
    const binaries = below === "" ? "" : `  packhouse_binary = "${used}${below}",\n`;
    const repos = `repos = c(\n${binaries}  packhouse = "${used}",\n  getOption("repos")))`;
    return {
      index: { client: "", read: "/src/contrib/PACKAGES" },
      install: [
        { client: "R", command: `${below === "" ? "" : agent}install.packages("PACKAGE", ${repos}` },
        { client: "renv", command: `options(${repos}\nrenv::install("PACKAGE")` },
        { client: "pak", command: `options(${repos}\npak::pkg_install("PACKAGE")` },
      ],
    };
  },
  Python({ address, used, name }) {
    const option = `--index-url "${used}/simple/"`;
    const source = `name = "${name.replace(/[^A-Za-z0-9_-]/g, "-")}"\nurl = "${address}/simple/"`;
    const variable = name.replace(/[^A-Za-z0-9]/g, "_").toUpperCase();
    // Projects are shared: their credentials come from the environment.
    const fromEnvironment = (prefix: string) =>
      used === address ? "" : `# ${prefix}_${variable}_USERNAME, ${prefix}_${variable}_PASSWORD\n`;
    return {
      index: { client: "/simple/", read: "/simple/" },
      install: [
        { client: "pip", command: `pip install ${option} PACKAGE` },
        { client: "uv", command: `uv pip install ${option} PACKAGE` },
        {
          client: "uv (pyproject.toml)",
          command: `${fromEnvironment("UV_INDEX")}[[tool.uv.index]]\n${source}\ndefault = true`,
        },
        {
          client: "Poetry (pyproject.toml)",
          command: `${fromEnvironment("POETRY_HTTP_BASIC")}[[tool.poetry.source]]\n${source}\npriority = "primary"`,
        },
      ],
    };
  },
};
