import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";

const searchDelayMs = 300;

/**
 * The text of a search field. Applied shortly after the last key; a value from elsewhere (Reset, the Back button)
 * replaces what is typed.
 */
export function useTypedSearch(
  value: string,
  onChange: (text: string) => void,
): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  const [seen, setSeen] = useState(value);
  const apply = useDebouncedCallback((typed: string) => {
    setApplied(typed);
    onChange(typed);
  }, searchDelayMs);
  if (value !== seen) {
    setSeen(value);
    if (value !== applied) {
      setText(value);
      setApplied(value);
    }
  }
  const type = (typed: string) => {
    setText(typed);
    apply(typed.trim());
  };
  return [text, type];
}
