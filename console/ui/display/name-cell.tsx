import type { Technology } from "@packhouse/contract/technology";
import type { ReactNode } from "react";
import { TechnologyTile } from "./technology-tile.tsx";

interface NameCellProps {
  technology: Technology;
  name: string;
  version?: string;
  second?: ReactNode;
  active?: boolean;
  after?: ReactNode;
}

/** Tile, name and version, and a second line; long names end in dots while the version stays. */
export function NameCell({ technology, name, version, second, active = true, after }: NameCellProps) {
  return (
    <div className="ph-name" data-inactive={!active}>
      <TechnologyTile technology={technology} hollow={!active} />
      <div className="ph-name-lines">
        <div className="ph-name-line">
          <span className="ph-name-text" title={name}>
            {name}
          </span>
          {version && <span className="ph-version">v.{version}</span>}
          {after}
        </div>
        {second && <div className="ph-second">{second}</div>}
      </div>
    </div>
  );
}
