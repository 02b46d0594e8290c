const greek =
  "alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π " +
  "rho ρ sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ " +
  "Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω " +
  "le ≤ ge ≥ sum ∑ prod ∏ dots … ldots … infty ∞ sqrt √";

const symbols: ReadonlyMap<string, string> = new Map(
  greek.split(/(?<= \S) /).map((pair) => {
    const [name = "", symbol = ""] = pair.split(" ");
    return [name, symbol];
  }),
);

/** A formula as text, using the symbols that R's own pages use for LaTeX names. */
export const mathText = (formula: string): string =>
  formula.replace(/\\([A-Za-z]+)/g, (written, name: string) => symbols.get(name) ?? written);
