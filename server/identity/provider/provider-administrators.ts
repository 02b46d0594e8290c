/**
 * Whether an entry of `auth.oidc.admins` names an account of the provider: by `issuer#subject`, by `#subject` or the
 * subject alone for the configured issuer, or by the login that the account has here. A login that the provider merely
 * claims counts for nothing: another account may have it.
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

/** What is known here of a user from the provider. */
export interface ProviderAccount {
  issuer: string;
  subject: string;
  /** Of the account, after the check that nobody else has it. */
  login: string;
  /** Another account has the subject as a login, or had it. */
  subjectIsOtherLogin: boolean;
  /** Another account of the provider has the login as a subject, or another account had the login. */
  loginIsOtherSubject: boolean;
}

/** Where subjects are chosen by people, they look like names; those that providers make have digits in them. */
const cannotBeLogin = (subject: string): boolean => /\d/.test(subject);
