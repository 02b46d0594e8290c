import type { ReactNode } from "react";
import { useNearness } from "./nearness.ts";

interface DrawnNearProps {
  /** Room that the content is expected to need. */
  height: number;
  /** Drawn wherever it is: what is open must be there to be scrolled to. */
  now: boolean;
  children: ReactNode;
}

/** Part of a long list, drawn once it comes close to what is visible; thousands of entries would hold up the page. */
export function DrawnNear({ height, now, children }: DrawnNearProps) {
  const { element, near } = useNearness<HTMLDivElement>("800px", now);
  return <div ref={element}>{near || now ? children : <div style={{ height }} />}</div>;
}
