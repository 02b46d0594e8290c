import i18next from "i18next";
import { toast } from "../ui/toasts.tsx";
import { isByProvider, storedToken } from "./stored-session.ts";

const lookEveryMs = 5000;
const noticeSeconds = 60;

/** Seconds until a token ends by its own claim (RFC 7519, `exp`); undefined for what is no such token. */
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

/**
 * Renews a provider's session before it ends, tells everybody else a minute before, and ends what is over. Looks every
 * few seconds, because a computer that slept wakes up late.
 */
export function watchSessionEnd(end: () => void): void {
  let told: string | undefined;
  let renewing = false;
  const tell = (token: string, left: number) => {
    if (told === token) return;
    told = token;
    toast.warning(i18next.t("session.expiring", { seconds: left }), { id: "session-end", autoClose: left * 1000 });
  };
  const look = async () => {
    const token = storedToken();
    const left = token === null ? undefined : secondsLeft(token);
    if (token === null || left === undefined || left > noticeSeconds || renewing) return;
    if (left <= 0) {
      toast.info(i18next.t("session.ended"), { id: "session-end", autoClose: 8000 });
      end();
      return;
    }
    if (!isByProvider() || told === token) return tell(token, left);
    renewing = true;
    try {
      const { renew } = await import("./provider.ts");
      await renew();
    } catch (error) {
      console.error(error);
      tell(token, left);
    } finally {
      renewing = false;
    }
  };
  setInterval(() => void look(), lookEveryMs);
}
