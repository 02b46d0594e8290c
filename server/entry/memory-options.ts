/**
 * What a process of the product is started with, so that memory which was freed is not held: by the youngest objects,
 * which rarely need more, by chunks of uploads (`staging.ts` has them collected), by each thread, and by glibc's
 * allocator, whose thresholds for returning memory would otherwise grow with each large block that is freed (mallopt(3)).
 */
export const memoryOptions = {
  node: ["--max-semi-space-size=4", "--expose-gc"],
  environment: { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" },
} as const;
