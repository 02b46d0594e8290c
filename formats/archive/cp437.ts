/** The upper half of IBM's code page 437, the encoding of zip names without the UTF-8 flag (APPNOTE.TXT, D.1). */
const upperHalf =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
  "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

export function decodeCp437(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte < 0x80)) return ascii.decode(bytes);
  let text = "";
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : (upperHalf[byte - 0x80] ?? "");
  return text;
}

const ascii = new TextDecoder("latin1");
