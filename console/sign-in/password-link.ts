/** The secret of a one-time link. It is removed from the address, so that it does not stay in the history. */
export function takePasswordToken(): string | undefined {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("set-password");
  if (!token) return undefined;
  history.replaceState(history.state, "", window.location.pathname);
  return token;
}

/** Called for a link in the address, now and later: opened in a tab with the sign-in, it only changes the fragment. */
export function onPasswordLink(listener: (token: string) => void): () => void {
  const listen = () => {
    const token = takePasswordToken();
    if (token) listener(token);
  };
  listen();
  window.addEventListener("hashchange", listen);
  return () => window.removeEventListener("hashchange", listen);
}
