/** Where clients look for credentials, with the token already in its place. */
export function tokenPlaces(login: string, token: string, address: string): { name: string; text: string }[] {
  const { protocol, host, hostname } = new URL(address);
  const withCredentials = `${protocol}//${encodeURIComponent(login)}:${token}@${host}`;
  return [
    { name: ".netrc", text: `machine ${hostname}\nlogin ${login}\npassword ${token}` },
    { name: "pip.conf", text: `[global]\nindex-url = ${withCredentials}/repo/REPOSITORY/simple/` },
    {
      name: ".Renviron",
      text: `PACKHOUSE_TOKEN=${token}\n# .Rprofile\n# options(repos = c(packhouse = "${withCredentials}/repo/REPOSITORY"))`,
    },
    { name: ".pypirc", text: `[packhouse]\nrepository = ${address}\nusername = ${login}\npassword = ${token}` },
    {
      name: "CI",
      text: `PIP_INDEX_URL=${withCredentials}/repo/REPOSITORY/simple/\nUV_INDEX_URL=${withCredentials}/repo/REPOSITORY/simple/\nPACKHOUSE_TOKEN=${token}`,
    },
  ];
}
