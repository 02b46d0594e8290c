import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { useOwnUser } from "../../session/use-session.ts";
import { useKeys } from "../../ui/shortcuts.ts";
import { undoLast } from "../../ui/undo-toast.tsx";
import { destinationsOf } from "./destinations.ts";

/** Time limit for the second key of `g p`. */
const sequenceMs = 1500;

/** `g` and a letter open a screen; `/` searches, `?` lists the keys, `z` undoes what the last message offers to undo. */
export function useDestinationKeys({ onSearch, onHelp }: { onSearch(): void; onHelp(): void }): void {
  const user = useOwnUser();
  const navigate = useNavigate();
  const began = useRef(Number.NEGATIVE_INFINITY);
  useKeys((key) => {
    const second = performance.now() - began.current < sequenceMs;
    began.current = Number.NEGATIVE_INFINITY;
    const target = second && destinationsOf(user.role).find((it) => "key" in it && it.key === key);
    if (target) void navigate({ to: target.to });
    else if (key === "g") began.current = performance.now();
    else if (key === "/") onSearch();
    else if (key === "?") onHelp();
    else if (key === "z") return undoLast();
    else return false;
    return true;
  });
}
