/** The part of the library that is used here; it comes without types. */
declare module "seek-bzip" {
  interface ByteSink {
    writeByte(byte: number): void;
  }
  const bunzip: { decode(input: Uint8Array, output: ByteSink, multistream: boolean): unknown };
  // biome-ignore lint/style/noDefaultExport: CommonJS
  export default bunzip;
}
