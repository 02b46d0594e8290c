/**
 * Whether an entry of `auth.oidc.admins` names an account of the provider: by `issuer#subject`, by `#subject` or the
 * subject alone for the configured issuer, or by the login that the account has here. A login that the provider merely
 * claims does not count: another account may have it.
 */
export function namesAdministrator(entry: string, account: ProviderAccount): boolean {
  const hash = entry.lastIndexOf("#");
  if (hash >= 0) {
    const issuer = entry.slice(0, hash);
    return (issuer === "" || issuer === account.issuer) && entry.slice(hash + 1) === account.subject;
  }
  if (entry === account.login) return !account.loginIsOtherSubject;
  return entry === account.subject && cannotBeLogin(entry) && !account.subjectIsOtherLogin;
}

/** What this server knows about a provider user. */
export interface ProviderAccount {
  issuer: string;
  subject: string;
  /** The account's login, after the check that no other account has it. */
  login: string;
  /** Another account has the subject as a login, or had it. */
  subjectIsOtherLogin: boolean;
  /** Another account of the provider has the login as a subject, or another account had the login. */
  loginIsOtherSubject: boolean;
}

/** Subjects chosen by people look like names; generated ones contain digits. */
const cannotBeLogin = (subject: string): boolean => /\d/.test(subject);
