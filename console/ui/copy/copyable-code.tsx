import { CopyButton } from "./copy-button.tsx";

/** Lines to copy; `testId` begins the hooks of both parts. Long lines scroll, so the keyboard must reach them. */
export function CopyableCode({ text, testId }: { text: string; testId: string }) {
  return (
    <div className="ph-copyable">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region */}
      <pre className="ph-code" tabIndex={0} data-testid={`${testId}-command`}>
        {text}
      </pre>
      <CopyButton text={text} testId={`${testId}-copy`} />
    </div>
  );
}
