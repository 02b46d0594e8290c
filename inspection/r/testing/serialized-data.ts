import { gunzipSync } from "node:zlib";

/** Files that R 4.2 wrote, packed. */
const unpacked = (text: string): Uint8Array => new Uint8Array(gunzipSync(Buffer.from(text, "base64")));

export const serialized = {
  /** `save(plain, steal, file = f)`, with `steal <- function(x) system("id")`. */
  saved: unpacked(
    "H4sIAAAAAAACA11RwW7CMAx10tKNSmyTuPATO+2yGzugfQACidsUStgqpYUtZdq48C98INoRCY3NSW3RJlKTlxc/P9sdj2YP6SwFgAhiKSHqIITOdPJ8/wjI4EVADF1Hro3KSwDZx4sjDvg1A26yVbFWWfWSl5XV78FrPFdWE9fzfH2endL5P12DX8Of9kkxd15b5xJfroQ/XCSWw2MdufOiqz1uKZkISnBLOEw+cOZCRrj3LpJW64nRn9pYqoJZsQknlBllw6hkiSNZfVARzMrtNhSXqtAs7rKFYjBnkDFYMNAMlgxeGbwxyGv/tqOttDJIYuvwGzz6EZ+o6qTZj/1GXUF/stmpzBcUf/4HiAZgPFcCAAA=",
  ),
  /** The same with `ascii = TRUE`. */
  savedAsText: unpacked(
    "H4sIAAAAAAACA2VQwU7DMAy9v38ZapwmTY+V0I4cEJxR1mVQqe0GKQj29ditJq/bodWz33vxs58fG4sGFuTJuwBTVyEEOLy+bDdcFuRhhDTOcvfUx26EswY1yAaQkqZEexxOsZ3eunHK6fOaLLGLOUmHhfIjV4rDYq6X0jN/eQy/PGFjRMOmB4enhsOo1jGQkuSNgjGhsKiCmSXr2B59+kl9lgkaF99327V9zGuVx4EXOn4tQy9dwvl8Zx7jkGZzrSOiwp3CVuFeYVJ4UPiu8ENht+S5SZCnFHvpVkzbG1ouSm653mrB/Me+Qa7srzfs9rNUvn/CCE3lJAIAAA==",
  ),
  /** `serialize(list(steal), NULL, xdr = FALSE)`. */
  littleEndian: unpacked(
    "H4sIAAAAAAACA3PiYmZgYGBiYmFgYGVmYAWyQ0PcdC2EgQxGIGYGiv8FKWCB8DkZWMB0xW8g8Q+I2RgQEiB2cWVxSWouE5AlgCQD4memgNQDAFBiaN1wAAAA",
  ),
  /** `saveRDS(compiler::cmpfun(steal), f)`. */
  bytecode: unpacked(
    "H4sIAAAAAAACA4vgYmBgYGZgYWJiYGYFMhlYQ0PcdC0YGFiYgZy/QJoJSDMysDBwgugKIPEbiP8BsShYgoGBF4g5gJgHiMWhYkpADNKoxgABIDEWIGaD6mVAMpStuLK4JDUXqgMmK4CkgikzBSr6D2IW03+oCkxVQNcwg13UwEAIoHiNNTknsbgYzUiB1IqCotTi4sz8vGLPvJRUkPf/AQCG2oIeMwEAAA==",
  ),
  /** An environment whose value is the promise of `system("id")`. */
  promise: unpacked(
    "H4sIAAAAAAACA4vgYmBgYGZgYWJiYGYFMhlYQ0PcdC2ADBYGCPgLZDIBaUagCCeIrgAKsEIkGP4AMRuSJFtxZXFJai6QBdIigCTDlJkCJP8hYwDiabqcfAAAAA==",
  ),
  /** `saveRDS(quote(system("id")), f)`. */
  call: unpacked("H4sIAAAAAAACA4vgYmBgYGZgYWJiYGYFMhlYQ0PcdC2ADDYgZmRgYeAEsYsri0tSc4EsJiAWQJJhykwBkv8Ad/9pakcAAAA="),
  /** `saveRDS(y ~ x, f)`. */
  formula: unpacked(
    "H4sIAAAAAAACA4vgYmBgYGZgYWJiYGYFMhlYQ0PcdC2AYmwMQFGgACMDCwMnSCI5J7G4GMgQQBJkT8svyi3NSURTy6PnmleWWZSfl5uaVwLk/wXif0jyjHVAAlkDYyW6QAVICwBDwy9BngAAAA==",
  ),
  /** An environment with a number. */
  environment: unpacked(
    "H4sIAAAAAAACA4vgYmBgYGZgYWJiYGYFMhlYQ0PcdC2ADBYGCPgExP+AWBiIZaFsIjALE5BmBJrCCaITgQQfiGH/gQEG/lETAwAi/ykSyAAAAA==",
  ),
  /** `saveRDS` of a list with vectors of every kind. */
  plain: unpacked(
    "H4sIAAAAAAACA11QOw7CMAx10g9tpQISC5dgZysTJwCJDaUhBaR+gBbExl04IGJkApw2FrSRbL+67z07WQUAYIHNOVgOQnCWi/lkCsBH+OFhPDA4BgMbfKx9WWQHIav1Pq9Kdez8tWNRKtML635T31qpR820J57o2a6GM6y1jRe7YvI/eIyYR6+GeatFvTumwAxhxmBgcNd8rIczbmEOfxL7f3c3VReVlmYL6rJzh+bIVJRdlpvgkxSnZok2PReZIrpHpoJATEAS2BBQBBICWwI7fdsvA0WjXLwBAAA=",
  ),
  /** The same with `version = 2`. */
  plainVersion2: unpacked(
    "H4sIAAAAAAACA12PMQ7CMAxFnbSUtlIBiYXb9BqsIaQwBJAoIDbuwgk7MgF2ki9ELdl+sn9sZ10TkaZca9KZ4JJDyd6wS0GFfuRF1FIl9TuH6sPGeSaN9kXBHoPE6ZNDnQaIv9nniYO1A4hWskDJAVnze5LrkOO+wrub8326AlV1Hckm1pt+rCo6Yy+nczziX340Bwd5iaEGsAFYwBbgAB1gB9jLb7+BXrrLWQEAAA==",
  ),
  /** The same with `ascii = TRUE`. */
  plainAsText: unpacked(
    "H4sIAAAAAAACA12PPRPCIAyG9/e/1CNQKB27ODrp7NFK1bt+qK2eP1+g50U7AE/IkwQqKEgjjbagsrDWQuOw32bhVAQLqcICRYe0AuVoxv7mmvl4HebJ33+TOWo3+XgTxLhJnccKhRQvoQn5bzO8USKj6ISijcauAgl2dYAYythDBJYQCoWlpJCQhocbdP7luylO4OfiudI0ms5N/5ZBGz40PpahK31wvU+65aaOsWZsGE+MnrFlPDNe0tgPpvgj9ogBAAA=",
  ),
};
