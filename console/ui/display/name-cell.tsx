import type { Technology } from "@packhouse/contract/technology";
import type { ReactNode } from "react";
import textStyles from "../styles/text.module.css";
import styles from "./name-cell.module.css";
import { TechnologyTile } from "./technology-tile.tsx";

interface NameCellProps {
  technology: Technology;
  name: string;
  version?: string;
  second?: ReactNode;
  active?: boolean;
  after?: ReactNode;
}

/** Tile, name and version, and a second line; long names are truncated, but the version stays visible. */
export function NameCell({ technology, name, version, second, active = true, after }: NameCellProps) {
  return (
    <div className={styles.name} data-inactive={!active}>
      <TechnologyTile technology={technology} hollow={!active} />
      <div className={styles.lines}>
        <div className={styles.line}>
          <span className={styles.text} title={name}>
            {name}
          </span>
          {version && <span className={styles.version}>v.{version}</span>}
          {after}
        </div>
        {second && <div className={textStyles.second}>{second}</div>}
      </div>
    </div>
  );
}
