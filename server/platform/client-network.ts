import { isIPv4, isIPv6 } from "node:net";

const mappedPrefix = "::ffff:";

/** An address as it is written in records: one of IPv4 that came over a socket of IPv6 is one of IPv4. */
export function plainAddress(address: string): string {
  const mapped = address.toLowerCase().startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address;
  return isIPv4(mapped) ? mapped : address;
}

/**
 * A client by its address, which is that of the connection unless a trusted proxy names another. Of IPv6 the network
 * counts (64 bits), because a client usually has one to choose its addresses from.
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
