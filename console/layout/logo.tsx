import type { Logo } from "@packhouse/contract/console-configuration";
import { Mark } from "./mark.tsx";

/** The installation's logo, or the product's own. */
export function LogoPicture({ logo, markSize }: { logo: Logo | null; markSize: number }) {
  if (!logo) return <Mark size={markSize} />;
  return (
    <img
      // The settings contain the style as CSS text, which React does not accept.
      ref={(picture) => {
        if (logo.style) picture?.setAttribute("style", logo.style);
      }}
      src={logo.address}
      width={logo.width}
      height={logo.height}
      className={logo.className}
      alt=""
    />
  );
}
