import { compileMarkdown } from "./compile-markdown.ts";

/** Compiles long Markdown beside the page: some texts take time that grows with their square. */
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(compileMarkdown(data));
