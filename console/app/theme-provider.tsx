import { convertCssVariables, MantineContext, MantineThemeProvider, useProviderColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import { configuration } from "../api/configuration.ts";
import { houseColors, theme } from "../ui/theme.ts";
import { colorSchemes } from "./color-schemes.ts";

const rootElement = () => document.documentElement;

/**
 * What Mantine's own provider does, except that the theme's variables are in a style sheet of the build: computing them
 * takes a slow device a tenth of a second. Only colors that the installation has set are added here.
 */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const scheme = useProviderColorScheme({
    defaultColorScheme: "dark",
    manager: colorSchemes,
    getRootElement: rootElement,
    forceColorScheme: undefined,
  });
  const { dark, light } = houseColors(configuration());
  const context = {
    ...scheme,
    getRootElement: rootElement,
    classNamesPrefix: "mantine",
    cssVariablesSelector: ":root",
    withStaticClasses: true,
    deduplicateInlineStyles: false,
  };
  const houseStyle = convertCssVariables({ variables: {}, dark, light }, ":root").trim();
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={theme}>
        {houseStyle && <style>{houseStyle}</style>}
        {children}
      </MantineThemeProvider>
    </MantineContext>
  );
}
