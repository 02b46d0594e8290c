/**
 * What a process of the product is started with, so that memory which was freed is not held: by the youngest objects,
 * which rarely need more, and by each thread.
 */
export const memoryOptions = {
  node: ["--max-semi-space-size=4"],
  environment: { MALLOC_ARENA_MAX: "1" },
} as const;
