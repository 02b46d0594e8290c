import { BlockList, isIPv6 } from "node:net";

/** Not part of the public internet: IANA's special-purpose registry of IPv4, multicast and what is reserved. */
const specialV4 = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  specialV4.addSubnet(network, prefix, "ipv4");

/** Global unicast of IPv6. All else is local, multicast, or an IPv4 address in disguise (`::ffff:`, `64:ff9b::`). */
const globalV6 = new BlockList();
globalV6.addSubnet("2000::", 3, "ipv6");

/** What of that is not public either: Teredo and its neighbors, documentation, 6to4. */
const specialV6 = new BlockList();
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  specialV6.addSubnet(network, prefix, "ipv6");

/** Whether an IP address is reachable from anywhere on the internet, and so no way into a private network. */
export const isPublicAddress = (address: string): boolean =>
  isIPv6(address)
    ? globalV6.check(address, "ipv6") && !specialV6.check(address, "ipv6")
    : !specialV4.check(address, "ipv4");
