import { ofClassifier, ofPhrase, ofRName } from "./license-names.ts";

/** The license of a DESCRIPTION as an SPDX expression ("Writing R Extensions", 1.1.2); null if it is none. */
export function spdxOfR(license: string): string | null {
  const choices = license.split("|").map((choice) => {
    const name = choice
      .replace(/\+\s?file LICEN[SC]E$/, "")
      .trim()
      .replace(/\s+/g, " ");
    return name === choice.trim() || !/^file /.test(name) ? (ofRName.get(name) ?? null) : null;
  });
  return joined(choices, " OR ");
}

/** The license of core metadata as an SPDX expression; null if it is none. */
export function spdxOfPython(metadata: {
  expression: string | null;
  license: string | null;
  classifiers: readonly string[];
}): string | null {
  if (metadata.expression !== null) return metadata.expression;
  const named = ofPhrase.get(phrase(metadata.license ?? ""));
  if (named !== undefined) return named;
  const classified = metadata.classifiers.filter(
    (classifier) => classifier.startsWith("License :: ") && !isParent(classifier),
  );
  return joined(
    classified.map((classifier) => ofClassifier.get(classifier.split(" :: ").at(-1) ?? "") ?? null),
    " OR ",
  );
}

const isParent = (classifier: string): boolean => classifier === "License :: OSI Approved";

/** In lower case, without "the" and "license", and with repeated words once: "The MIT License (MIT)". */
function phrase(license: string): string {
  if (license.length > 200) return "";
  const words = license.toLowerCase().split(/[\s,()"]+/);
  return [...new Set(words)].filter((word) => !fillers.has(word)).join(" ");
}

const fillers = new Set(["the", "license", "licenses", "version", ""]);

function joined(parts: readonly (string | null)[], by: string): string | null {
  const known = [...new Set(parts)];
  if (known.length === 0 || known.includes(null)) return null;
  return known.join(by);
}
