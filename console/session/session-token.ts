/** Seconds until a token expires by its own claim (RFC 7519, `exp`); undefined for other kinds of tokens. */
export function secondsLeft(token: string, now = Date.now()): number | undefined {
  try {
    const payload: unknown = JSON.parse(
      new TextDecoder().decode(
        Uint8Array.from(atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")), (character) =>
          character.charCodeAt(0),
        ),
      ),
    );
    const end = typeof payload === "object" && payload !== null && "exp" in payload ? payload.exp : undefined;
    return typeof end === "number" ? end - Math.floor(now / 1000) : undefined;
  } catch {
    return undefined;
  }
}

export const isOver = (token: string): boolean => (secondsLeft(token) ?? 1) <= 0;
