/** How random bytes look, from 0 to 8 bits a byte. */
export function entropyOf(bytes: Uint8Array): number {
  const counts = new Float64Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  return entropyOfCounts(counts, bytes.length);
}

/** How random the characters of a text look, by their lower eight bits. */
export function entropyOfText(text: string): number {
  const counts = new Float64Array(256);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) & 255;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return entropyOfCounts(counts, text.length);
}

function entropyOfCounts(counts: Float64Array, total: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / total) * Math.log2(count / total);
  return bits;
}

/** What truly random bytes of this length show at least: few bytes cannot show all values. */
export const entropyOfRandom = (length: number): number => 8 - (1.5 * 255) / (2 * length * Math.LN2) - 0.08;
