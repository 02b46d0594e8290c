import { Tooltip } from "@mantine/core";

interface HintTooltipProps {
  target: HTMLElement;
  text: string;
}

export function HintTooltip({ target, text }: HintTooltipProps) {
  return <Tooltip target={target} label={text} opened transitionProps={{ duration: 0 }} />;
}
