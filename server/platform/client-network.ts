import { isIPv4, isIPv6 } from "node:net";

const mappedPrefix = "::ffff:";

/** An address as it is recorded: IPv4-mapped IPv6 addresses become IPv4. */
export function plainAddress(address: string): string {
  const mapped = address.toLowerCase().startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address;
  return isIPv4(mapped) ? mapped : address;
}

/**
 * A client by its address, which is that of the connection unless a trusted proxy forwards another. IPv6 clients are
 * identified by their /64 network, since a client can usually choose any address in it.
 */
export function clientNetwork(address: string): string {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return "unknown";
  const [head = "", tail] = (plain.split("%")[0] ?? "").split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
