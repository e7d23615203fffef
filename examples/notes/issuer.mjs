// An identity provider for this machine: it signs a token for whoever names a user, without a password. Start it with
// `node issuer.mjs`. A real one asks for a password, and has the same keys and claims.
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";

const port = Number(process.argv[2] ?? 9400);
const issuer = `http://127.0.0.1:${port}`;
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const keys = [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "ES256", use: "sig" }];

/** Returns an access token of a user, as RFC 9068 describes it. It has no scope: the rules limit it. */
function tokenFor(user) {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: "notes",
    sub: user,
    client_id: "page",
    jti: randomUUID(),
    iat: now,
    exp: now + 600,
  };
  const parts = [{ typ: "at+jwt", alg: "ES256", kid: "1" }, claims];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return { access_token: `${signed}.${signature.toString("base64url")}`, expires_in: 600 };
}

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, issuer);
  const user = searchParams.get("user");
  const body = pathname === "/jwks" ? { keys } : pathname === "/token" && user ? tokenFor(user) : undefined;
  response.writeHead(body ? 200 : 404, { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" });
  response.end(JSON.stringify(body ?? {}));
}).listen(port, "127.0.0.1", () => console.log(`Signing tokens at ${issuer}`));
