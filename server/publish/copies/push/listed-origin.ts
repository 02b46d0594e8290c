/** Whether an address has one of the origins of the setting `publication.targets`. */
export function isListedOrigin(address: string, targets: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { origin } = new URL(address);
  return targets.some((target) => URL.canParse(target) && new URL(target).origin === origin);
}
