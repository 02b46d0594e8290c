const english = {
  language: "en",
  lead: {
    R: "A repository of R packages. R, renv and pak install from this address:",
    Python: "A repository of Python packages. pip, uv and Poetry install from this address:",
  },
  snapshot: (serial: number) =>
    `This is the repository as it was in snapshot ${serial}. What this address serves never changes.`,
  current: "The repository as it is now",
  credentials: "This repository requires authentication: replace LOGIN with your login and TOKEN with an access token.",
  token: "Create an access token",
  use: "How to use it",
  placeholder: "Replace PACKAGE with the name of a package.",
  console: (title: string) => `Open this repository in ${title}: its packages, versions and how to upload`,
  index: "The index as clients read it",
};

export type PageTexts = typeof english;

const polish: PageTexts = {
  language: "pl",
  lead: {
    R: "To repozytorium pakietów R. R, renv i pak instalują pakiety spod tego adresu:",
    Python: "To repozytorium pakietów Pythona. pip, uv i Poetry instalują pakiety spod tego adresu:",
  },
  snapshot: (serial) =>
    `To stan repozytorium z migawki ${serial}. Zawartość dostępna pod tym adresem nigdy się nie zmienia.`,
  current: "Obecny stan repozytorium",
  credentials:
    "To repozytorium wymaga uwierzytelnienia: zastąp LOGIN swoją nazwą użytkownika, a TOKEN tokenem dostępu.",
  token: "Utwórz token dostępu",
  use: "Jak go używać",
  placeholder: "Zastąp PACKAGE nazwą pakietu.",
  console: (title) => `Otwórz to repozytorium w ${title}: pakiety, ich wersje i przesyłanie nowych`,
  index: "Indeks w postaci, którą czytają programy",
};

/** By language, the one for readers of other languages first. */
export const pageTexts = { en: english, pl: polish } as const;
export const pageLanguages = ["en", "pl"] as const satisfies readonly (keyof typeof pageTexts)[];
