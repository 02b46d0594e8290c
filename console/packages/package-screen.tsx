import { Tabs } from "@mantine/core";
import { type PackageItem, pythonPackageItem, rPackageItem } from "@packhouse/contract/packages";
import { submissionItem } from "@packhouse/contract/submissions";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import { IconCheck, IconDownload, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { z } from "zod";
import { api } from "../api/client.ts";
import { configuration } from "../api/configuration.ts";
import { ApiFailure } from "../api/failure.ts";
import { savePackageFile } from "../api/package-file.ts";
import { reportFailure } from "../api/report-failure.tsx";
import { NotFoundScreen } from "../app/not-found-screen.tsx";
import { formatNumber, formatSize } from "../language/i18n.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { StateCell } from "../ui/state-cell.tsx";
import { TechnologyTile } from "../ui/technology-tile.tsx";
import { Description } from "./description.tsx";
import { installSnippets } from "./install-snippets.ts";
import { Kind } from "./packages-screen.tsx";
import { versionsOf } from "./version-list.ts";

const shapes = { R: rPackageItem, Python: pythonPackageItem } as const;

/** Rows of the property table by technology; those of the second list are shown only when they are filled. */
const properties = {
  R: {
    always: ["systemRequirements", "depends", "imports", "suggests", "url", "md5sum", "encoding"],
    filled: ["enhances", "linkingTo", "priority", "needsCompilation"],
  },
  Python: {
    always: ["platform", "projectUrl", "providesExtra", "requiresDist", "requiresExternal", "requiresPython", "hash"],
    filled: ["summary", "keywords", "homePage", "authorEmail", "maintainerEmail", "compatibilityTags"],
  },
} as const;
const copied = new Set(["md5sum", "hash"]);

export function PackageScreen() {
  const { technology, id } = useParams({ strict: false }) as { technology: Technology; id: number };
  const { data, error } = useQuery({
    queryKey: ["package", technology, id],
    queryFn: ({ signal }) => api.get(`/${technologyPath[technology]}/packages/${id}`, shapes[technology], signal),
    meta: { shownInPlace: true },
  });
  useEffect(() => {
    if (data) document.title = `${configuration().title} - ${data.name} ${data.version}`;
  }, [data]);
  if (error instanceof ApiFailure && error.status === 404) return <NotFoundScreen />;
  return (
    <div data-testid="screen-packageDetails">
      <Crumbs name={data?.name} />
      {data ? <PackagePage item={data} /> : <Skeleton />}
    </div>
  );
}

function Crumbs({ name }: { name: string | undefined }) {
  const { t } = useTranslation();
  return (
    <nav className="ph-crumbs" aria-label={t("package.breadcrumb")}>
      <Link to="/packages">{t("nav.packages")}</Link>
      <span aria-hidden>›</span>
      <span className="ph-mono">{name}</span>
    </nav>
  );
}

function Skeleton() {
  return (
    <div className="ph-columns" aria-busy>
      <div className="ph-stack">
        {[0, 1, 2].map((index) => (
          <div key={index} className="ph-card" style={{ minHeight: 120 }}>
            <span className="ph-skeleton" style={{ width: "40%" }} />
          </div>
        ))}
      </div>
    </div>
  );
}

type Shown = z.infer<typeof rPackageItem> | z.infer<typeof pythonPackageItem>;

function PackagePage({ item }: { item: Shown }) {
  const { t } = useTranslation();
  const { data: submission } = useQuery({
    queryKey: ["submission", item.submission.id],
    queryFn: ({ signal }) => api.get(`/submissions/${item.submission.id}`, submissionItem, signal),
    meta: { shownInPlace: true },
  });
  const license = "license" in item ? item.license : null;
  return (
    <>
      <header className="ph-title">
        <TechnologyTile technology={item.technology} hollow={!item.active} />
        <h1>
          {item.name} <span className="ph-version">{item.version}</span>
        </h1>
        <StateCell state={item.submission.state} />
        <Kind binary={item.binary} />
        {item.deleted && (
          <span className="ph-chip" data-tone="red">
            {t("word.deleted")}
          </span>
        )}
      </header>
      <p className="ph-lead">{item.title}</p>
      <div className="ph-columns">
        <div className="ph-stack">
          <Install item={item} />
          <Card title={t("package.description")}>
            <Description text={item.description} contentType={item.descriptionContentType} testId="description" />
          </Card>
          <Card title={t("package.properties")}>
            <Properties item={item} />
          </Card>
          {"classifiers" in item && item.classifiers && <Classifiers text={item.classifiers} />}
          {submission?.changes && (
            <Card title={t("package.notes")}>
              <Description text={submission.changes} contentType="text/markdown" testId="notes" />
            </Card>
          )}
        </div>
        <div className="ph-stack">
          <Card title={t("column.repository")} testId="card-repository">
            <Link
              to="/repositories"
              search={{ search: item.repository.name, published: "any" } as never}
              className="ph-mono ph-strong"
            >
              {item.repository.name}
            </Link>
            <div style={{ display: "flex", alignItems: "center", gap: 4 }}>
              <span className="ph-muted" style={{ overflowWrap: "anywhere" }}>
                {item.repository.publicationUri}
              </span>
              <CopyButton text={item.repository.publicationUri} />
            </div>
            <span className="ph-chip">{item.repository.published ? t("word.published") : t("word.notPublished")}</span>
          </Card>
          <Card title={t("package.license")} testId="card-license">
            {license || <span className="ph-muted">{t("package.notProvided")}</span>}
          </Card>
          <Versions item={item} />
          <Files item={item} />
          <Card title={t("package.state")}>
            <Facts
              rows={[
                [t("word.active"), <Tick key="active" on={item.active} />],
                [t("word.deleted"), <Tick key="deleted" on={item.deleted} />],
                [t("word.binary"), <Tick key="binary" on={item.binary} />],
              ]}
            />
          </Card>
          <Card title={t("package.people")}>
            <Facts
              rows={[
                [t("package.author"), item.author],
                [t("package.maintainer"), item.maintainer],
              ]}
            />
          </Card>
          <Card title={t("package.inProduct", { product: configuration().title })}>
            <Facts
              rows={[
                [t("package.submitter"), submission?.submitter.name],
                [t("package.approver"), submission?.approver?.name],
                [t("package.maintainer"), item.user.name],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}

function Card({ title, testId, children }: { title: string; testId?: string; children: ReactNode }) {
  return (
    <section className="ph-card" data-testid={testId}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  const { t } = useTranslation();
  return (
    <dl className="ph-facts">
      {rows.map(([name, value]) => [
        <dt key={`${name} name`}>{name}</dt>,
        <dd key={`${name} value`}>{value || <span className="ph-muted">{t("package.notProvided")}</span>}</dd>,
      ])}
    </dl>
  );
}

function Tick({ on }: { on: boolean }) {
  const { t } = useTranslation();
  const Icon = on ? IconCheck : IconX;
  return (
    <span style={{ display: "inline-flex", alignItems: "center", gap: 6 }}>
      <Icon size={16} className={on ? "ph-good" : "ph-muted"} aria-hidden /> {on ? t("word.yes") : t("word.no")}
    </span>
  );
}

function Install({ item }: { item: PackageItem }) {
  const { t } = useTranslation();
  const snippets = installSnippets(item);
  const [client, setClient] = useState<string | null>(null);
  const chosen = snippets.find((snippet) => snippet.client === client) ?? snippets[0];
  if (!item.repository.published)
    return (
      <Card title={t("package.install")}>
        <p className="ph-muted">{t("package.notPublishedYet")}</p>
      </Card>
    );
  return (
    <Card title={t("package.install")}>
      <p className="ph-muted" style={{ marginTop: 0 }}>
        {item.technology === "R" ? t("package.installR") : t("package.installPython")}
      </p>
      <Tabs value={chosen?.client ?? null} onChange={setClient}>
        <Tabs.List mb="sm">
          {snippets.map((snippet) => (
            <Tabs.Tab key={snippet.client} value={snippet.client} className="ph-mono">
              {snippet.client}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map((snippet) => (
          <Tabs.Panel key={snippet.client} value={snippet.client}>
            <div style={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr) auto", gap: 8, alignItems: "start" }}>
              <pre className="ph-code" {...(snippet === chosen ? { "data-testid": "install-command" } : {})}>
                {snippet.command}
              </pre>
              <CopyButton text={snippet.command} {...(snippet === chosen ? { testId: "install-copy" } : {})} />
            </div>
          </Tabs.Panel>
        ))}
      </Tabs>
      {item.repository.requiresAuthentication && <p className="ph-muted">{t("package.withToken")}</p>}
    </Card>
  );
}

function Properties({ item }: { item: Shown }) {
  const { t } = useTranslation();
  const { always, filled } = properties[item.technology];
  const values: Record<string, unknown> = item;
  const names = [...always, ...filled.filter((name) => values[name])];
  return (
    <dl className="ph-facts">
      {names.map((name) => {
        const value = typeof values[name] === "string" && values[name] !== "" ? values[name] : undefined;
        return [
          <dt key={`${name} name`}>{t(`package.${name}`)}</dt>,
          <dd key={`${name} value`} data-testid={`prop-${name}`} className={copied.has(name) ? "ph-mono" : undefined}>
            {value ? <Linked text={value} /> : <span className="ph-muted">{t("package.notProvided")}</span>}
            {value && copied.has(name) && (
              <CopyButton text={value} label={`${t("action.copy")} ${t(`package.${name}`)}`} />
            )}
          </dd>,
        ];
      })}
    </dl>
  );
}

/** A text whose web addresses are links; nothing else becomes one. */
function Linked({ text }: { text: string }) {
  const [before = "", address, ...after] = text.split(/((?:https?|ftps?):\/\/[^\s,<>"']+)/);
  if (address === undefined) return before;
  return (
    <>
      {before}
      <a href={address} target="_blank" rel="noreferrer noopener" style={{ color: "var(--ph-brand)" }}>
        {address}
      </a>
      <Linked text={after.join("")} />
    </>
  );
}

function Classifiers({ text }: { text: string }) {
  const { t } = useTranslation();
  const groups = new Map<string, string[]>();
  for (const entry of text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [category = "", ...rest] = entry.split(" :: ");
    groups.set(category, [...(groups.get(category) ?? []), rest.join(" :: ")]);
  }
  return (
    <Card title={t("package.classifiers")} testId="classifiers">
      <Facts
        rows={[...groups].map(([category, values]) => [
          category,
          <span key={category} style={{ display: "flex", flexWrap: "wrap", gap: 6 }}>
            {values.map((value) => (
              <span key={value} className="ph-chip" style={{ whiteSpace: "normal" }}>
                {value}
              </span>
            ))}
          </span>,
        ])}
      />
    </Card>
  );
}

function Versions({ item }: { item: PackageItem }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ["versions", item.technology, item.id],
    queryFn: ({ signal }) => versionsOf(item, signal),
    meta: { shownInPlace: true },
  });
  return (
    <Card title={t("package.versions")} testId="versions">
      {error && (
        <button type="button" className="ph-link-button" onClick={() => void refetch()}>
          {t("action.retry")}
        </button>
      )}
      {!data && !error && <span className="ph-skeleton" />}
      {data?.length === 1 && <p className="ph-muted">{t("package.onlyVersion")}</p>}
      <ul className="ph-versions">
        {data?.map((version, index) => {
          const marks = [index === 0 ? t("package.latest") : "", version.binary ? t("word.binary") : ""]
            .filter(Boolean)
            .join(" · ");
          const text = (
            <>
              <span>{version.version}</span>
              <span className="ph-muted">{marks}</span>
            </>
          );
          return (
            <li key={version.id}>
              {version.id === item.id ? (
                <strong aria-current="true" data-testid={`version-${version.id}`}>
                  {text}
                </strong>
              ) : (
                <Link
                  to="/packages/$technology/$id"
                  params={{ technology: version.technology, id: version.id }}
                  data-testid={`version-${version.id}`}
                >
                  {text}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {data && data.length > 1 && <MajorVersions items={data} />}
    </Card>
  );
}

/** How many versions each major version has; the numbers themselves are the chart. */
function MajorVersions({ items }: { items: readonly PackageItem[] }) {
  const { t } = useTranslation();
  const counts = new Map<string, number>();
  for (const { version } of items) {
    const major = version.split(/[.-]/)[0] ?? version;
    counts.set(major, (counts.get(major) ?? 0) + 1);
  }
  return (
    <dl className="ph-facts" data-testid="versions-chart" style={{ marginTop: 12 }}>
      {[...counts].map(([major, count]) => [
        <dt key={`${major} name`} className="ph-mono">{`v${major}.x`}</dt>,
        <dd key={`${major} value`}>{t("package.versionsPerMajor", { count, formatted: formatNumber(count) })}</dd>,
      ])}
    </dl>
  );
}

function Files({ item }: { item: Shown }) {
  const { t } = useTranslation();
  const save = async (file: Parameters<typeof savePackageFile>[0]) => {
    try {
      await savePackageFile(file);
    } catch (error) {
      reportFailure(error);
    }
  };
  const others = (item.otherFiles ?? []).map((file) => ({ ...file, technology: item.technology }));
  const files = item.deleted ? [] : [item, ...others];
  return (
    <Card title={t("package.files")}>
      {files.map((file) => (
        <div
          key={file.id}
          style={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr) auto", alignItems: "center", gap: 8 }}
        >
          <span>
            <span className="ph-mono" style={{ overflowWrap: "anywhere" }}>
              {file.fileName}
            </span>{" "}
            <span className="ph-muted">{formatSize(file.size)}</span>
          </span>
          <IconButton
            icon={IconDownload}
            label={`${t("action.download")} ${file.fileName}`}
            hint={t("action.download")}
            testId={file.id === item.id ? "file-source" : `file-${file.id}`}
            onPress={() => void save(file)}
          />
        </div>
      ))}
    </Card>
  );
}
