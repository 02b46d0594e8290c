import type { Logo } from "@packhouse/contract/configuration";
import { Mark } from "./mark.tsx";

/** The picture that the installation has chosen, else the product's mark. */
export function LogoPicture({ logo, markSize }: { logo: Logo | null; markSize: number }) {
  if (!logo) return <Mark size={markSize} />;
  return (
    <img
      // The settings give the style as CSS text, which React does not take.
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
