import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  rem,
} from "@mantine/core";

const colors = {
  petrol: [
    "#ecf9f9",
    "#d4f0f0",
    "#b2e4e4",
    "#89d6d6",
    "#58c3c4",
    "#2ea7a8",
    "#1b898b",
    "#0f6b6c",
    "#074e4f",
    "#053233",
  ],
  slate: ["#f8fbfb", "#f0f4f5", "#e3e9ea", "#d2d9da", "#b4bebf", "#929e9f", "#6e7c7d", "#4e5b5c", "#313b3d", "#192122"],
  green: ["#edfaef", "#d5f3da", "#b4e9be", "#90daa0", "#6ac781", "#49ab64", "#348d4e", "#246e3a", "#185029", "#10341a"],
  red: ["#fff2f1", "#ffe1de", "#ffc9c4", "#ffaca5", "#fc8a82", "#f05b57", "#d43538", "#a92126", "#7c181b", "#520f10"],
  orange: [
    "#fff3ea",
    "#fee4cf",
    "#fecfa7",
    "#f7b67d",
    "#eb9b4f",
    "#cf7e28",
    "#ab661a",
    "#864e12",
    "#62380a",
    "#402306",
  ],
  dark: ["#e2e7e8", "#c8cfd0", "#a3adae", "#838f90", "#5b696b", "#2b383a", "#1b2728", "#131d1e", "#0e1617", "#080f0f"],
} as const satisfies Record<string, MantineColorsTuple>;

/** The single source of sizes, type and colors; components use roles, never a shade. */
export const theme = createTheme({
  colors: { ...colors, gray: colors.slate },
  primaryColor: "petrol",
  primaryShade: { light: 7, dark: 4 },
  // Filled elements use the brand color; by luminance alone, text would be white on the dark theme's light petrol.
  variantColorResolver: (input) => ({
    ...defaultVariantColorsResolver(input),
    ...(input.variant === "filled" ? { color: "var(--ph-brand-ink)" } : {}),
  }),
  black: "#111c1d",
  white: "#ffffff",
  fontFamily: '"Hanken Grotesk Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"Red Hat Mono Variable", ui-monospace, monospace',
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  lineHeights: { xs: "1.34", sm: "1.4", md: "1.43", lg: "1.5", xl: "1.4" },
  headings: {
    fontWeight: "680",
    sizes: {
      h1: { fontSize: rem(20), lineHeight: rem(28) },
      h2: { fontSize: rem(15), lineHeight: rem(22) },
      h3: { fontSize: rem(13), lineHeight: rem(18) },
    },
  },
  spacing: { xs: rem(4), sm: rem(8), md: rem(12), lg: rem(16), xl: rem(24) },
  radius: { xs: rem(3), sm: rem(5), md: rem(6), lg: rem(8), xl: rem(8) },
  defaultRadius: "sm",
  breakpoints: { xs: "30em", sm: "48em", md: "60em", lg: "80em", xl: "90em" },
  focusRing: "auto",
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    Tooltip: {
      // Inside of the page's landmark, so that assistive technology can attribute its content.
      defaultProps: { openDelay: 300, withArrow: false, multiline: true, maw: 320, portalProps: { target: "#main" } },
    },
    ModalRoot: { defaultProps: { size: rem(520), centered: true } },
    ModalContent: { defaultProps: { radius: "lg" } },
    Button: { defaultProps: { size: "sm" } },
    Menu: { defaultProps: { shadow: "md" } },
    // The focus may come from a control that has gone; its options would then cover what the user is looking for.
    Select: { defaultProps: { openOnFocus: false } },
    Popover: { defaultProps: { shadow: "md" } },
  },
});

/** Color roles by scheme; `contrast.test.ts` lists which text is used on which background. */
export const roles = {
  canvas: ["#0e1617", "#f1f5f6"],
  surface: ["#131d1e", "#ffffff"],
  raised: ["#1b2728", "#ffffff"],
  sunken: ["#080f0f", "#ebeff0"],
  line: ["#2b383a", "#d7dedf"],
  edge: ["#6d7c7e", "#6f7e7f"],
  hover: ["#182425", "#f1f7f7"],
  selected: ["#132f30", "#dbf2f2"],
  "deleted-row": ["#4f1f21", "#f6d7d7"],
  strong: ["#ecf1f2", "#111c1d"],
  text: ["#cbd3d4", "#2d3b3c"],
  muted: ["#9ba7a9", "#505e60"],
  faint: ["#768385", "#707d7f"],
  brand: ["#58c3c4", "#0f6b6c"],
  "brand-ink": ["#021818", "#ffffff"],
  /** Background of input fields. */
  field: ["#080f0f", "#ffffff"],
  "brand-tint": ["#1c3334", "#e7f0f0"],
  bar: ["#0d3134", "#0f3f43"],
  "bar-text": ["#e9f4f4", "#f0f8f8"],
  green: ["#6ac781", "#1d6e37"],
  red: ["#fd837b", "#b92229"],
  "red-quiet": ["#be7b75", "#a35f59"],
  orange: ["#f4a55b", "#95521d"],
  "green-tint": ["#1e332b", "#e8f0eb"],
  "red-tint": ["#312a2a", "#f8e9ea"],
  "orange-tint": ["#302f26", "#f4eee8"],
  r: ["#82b6f8", "#2f6fc2"],
  py: ["#f2ce59", "#8f700f"],
} as const satisfies Record<string, readonly [dark: string, light: string]>;

/** Colors that an installation may set, as `#rrggbb`. */
export interface HouseColors {
  brandColor: string | null;
  backgroundDark: string | null;
  backgroundLight: string | null;
}

/** Black or white, whichever is more readable on a color (WCAG 2.2, relative luminance). */
export function inkOn(color: string): "#000000" | "#ffffff" {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  // Above this luminance black has the higher contrast.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

/**
 * The roles derived from the installation's colors. Its brand color is lightened or darkened until it is readable on
 * the background.
 */
export function houseColors(house: HouseColors): Record<"dark" | "light", Record<string, string>> {
  const { brandColor } = house;
  const scheme = (index: 0 | 1): Record<string, string> => {
    const background = index === 0 ? house.backgroundDark : house.backgroundLight;
    return {
      ...(background ? { "--ph-canvas": background } : {}),
      ...(brandColor
        ? {
            "--ph-brand":
              index === 0
                ? `color-mix(in oklab, ${brandColor} 65%, white)`
                : `color-mix(in oklab, ${brandColor} 80%, black)`,
            "--ph-brand-ink": index === 0 ? "#000000" : "#ffffff",
            "--ph-brand-tint": `color-mix(in oklab, ${brandColor} ${index === 0 ? 18 : 10}%, var(--ph-canvas))`,
            "--ph-bar": brandColor,
            "--ph-bar-text": inkOn(brandColor),
          }
        : {}),
    };
  };
  return { dark: scheme(0), light: scheme(1) };
}

/** The variables of CSS that Mantine's components and our styles use; the build writes them to a style sheet. */
export const cssVariables: CSSVariablesResolver = () => {
  const scheme = (index: 0 | 1): Record<string, string> => ({
    ...Object.fromEntries(Object.entries(roles).map(([name, pair]) => [`--ph-${name}`, pair[index]])),
    "--mantine-color-scheme": index === 0 ? "dark" : "light",
    "--mantine-color-body": "var(--ph-canvas)",
    "--mantine-color-text": roles.text[index],
    "--mantine-color-dimmed": roles.muted[index],
    "--mantine-color-placeholder": roles.muted[index],
    "--mantine-color-default": roles.surface[index],
    "--mantine-color-default-border": roles.edge[index],
    "--mantine-color-default-hover": roles.hover[index],
    "--mantine-color-default-color": roles.text[index],
    "--mantine-color-anchor": "var(--ph-brand)",
    "--mantine-primary-color-filled": "var(--ph-brand)",
    "--mantine-primary-color-contrast": "var(--ph-brand-ink)",
    "--mantine-color-error": roles.red[index],
    "--mantine-color-disabled": roles.sunken[index],
    "--mantine-color-disabled-color": roles.muted[index],
  });
  return { variables: {}, dark: scheme(0), light: scheme(1) };
};
