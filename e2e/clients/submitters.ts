import { hashPassword } from "@packhouse/server/identity/passwords/password";
import { type ApiUser, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { ownR } from "./r-builds.ts";

/** A product with its administrator, a submitter whose uploads wait, and that submitter's access token. */
export interface WithSubmitter {
  product: Product;
  administrator: ApiUser;
  submitter: ApiUser;
  token: string;
  /** The R of this machine, for which the product takes binaries. */
  here: { rVersion: string; architecture: string };
}

export async function startWithSubmitter(): Promise<WithSubmitter> {
  const here = await ownR();
  const product = await startProduct({
    environment: {
      PACKHOUSE_ADMIN_PASSWORD: "administrator's password",
      PACKHOUSE_PEOPLE: JSON.stringify([
        { login: "submitter", passwordHash: await hashPassword("submitter's password") },
      ]),
      PACKHOUSE_R_VERSIONS: here.rVersion,
      PACKHOUSE_R_ARCHITECTURES: here.architecture,
    },
  });
  const administrator = await signIn(product, "admin", "administrator's password");
  const submitter = await signIn(product, "submitter", "submitter's password");
  return { product, administrator, submitter, token: await submitter.createToken("clients"), here };
}
