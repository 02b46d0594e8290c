/** What the text of a topic needs to know of the manual around it. */
export interface RenderContext {
  /** The id of the topic that a link means; undefined when it is in another package or nowhere. */
  targetOf(alias: string, option: string | undefined): string | undefined;
  /** Whether dashes and quotes are part of a command, not of a sentence. */
  isCommand: boolean;
}
