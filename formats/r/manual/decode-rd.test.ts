import { describe, expect, test } from "vitest";
import { decodeRd } from "./decode-rd.ts";

const bytes = (text: string, encoding: "latin1" | "utf8" = "latin1") => Buffer.from(text, encoding);

describe("an Rd file is decoded", () => {
  test.each([
    ["by its own encoding", bytes("\\encoding{latin1}\nRenée"), "UTF-8", "Renée"],
    ["by R's name of its encoding", bytes("\\encoding{latin2}\nPawe\xb3"), "UTF-8", "Paweł"],
    ["by its own encoding, with a dash or without", bytes("\\encoding{ISO8859-15}\n\xa4"), undefined, "€"],
    ["by the encoding of DESCRIPTION", bytes("Pawe\xb3"), "latin2", "Paweł"],
    ["in UTF-8 by default", bytes("Renée Ł", "utf8"), undefined, "Renée Ł"],
    ["in latin1 when it is not UTF-8", bytes("Renée"), undefined, "Renée"],
    ["in latin1 when it only claims to be UTF-8", bytes("\\encoding{UTF-8} Renée"), undefined, "Renée"],
    ["in latin1 when it claims nonsense", bytes("\\encoding{toString} Renée"), undefined, "Renée"],
    ["ignoring comments", bytes("% \\encoding{latin2}\nRenée Ł", "utf8"), undefined, "Renée Ł"],
  ])("%s", (_, file, packageEncoding, text) => {
    expect(decodeRd(file, packageEncoding)).toContain(text);
  });
});
