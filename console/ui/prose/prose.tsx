import "../display/card-texts.ts";
import { useTranslation } from "react-i18next";
import type { Readme } from "./readme.ts";

interface ProseProps {
  text: string;
  /** Rendered and sanitised; the text stands in its place until it is. */
  readme: Readme | undefined;
  format: "markdown" | "rst";
  testId: string;
}

/** Texts with fewer headings need no table of contents. */
const fewestHeadings = 4;

export function Prose({ text, readme, format, testId }: ProseProps) {
  const { t } = useTranslation();
  if (!readme)
    return (
      <div className="ph-prose ph-plain" data-format={format} data-testid={testId}>
        {text}
      </div>
    );
  return (
    <>
      {readme.headings.length >= fewestHeadings && (
        <details className="ph-contents">
          <summary>{t("package.contents")}</summary>
          <ul>
            {readme.headings.map(({ id, text, level }) => (
              <li key={id} style={{ marginLeft: (level - 3) * 14 }}>
                <button
                  type="button"
                  className="ph-link-button"
                  onClick={() => document.getElementById(id)?.scrollIntoView()}
                >
                  {text}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <div
        className="ph-prose"
        data-format={format}
        data-testid={testId}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: readme.ts sanitises
        dangerouslySetInnerHTML={{ __html: readme.html }}
      />
    </>
  );
}
