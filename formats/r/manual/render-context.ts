/** What rendering a topic requires from the manual around it. */
export interface RenderContext {
  /** The id of the topic that a link refers to; undefined if it is in another package or does not exist. */
  targetOf(alias: string, option: string | undefined): string | undefined;
  /** Whether dashes and quotes are part of a command rather than a sentence. */
  isCommand: boolean;
}
