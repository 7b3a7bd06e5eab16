import { posix } from "node:path";
import { findSecrets } from "../../core/secrets/find.ts";

/** The kinds of files that hold secrets, with the words for messages. */
export const SECRET_FILE_KINDS = {
  keys: "a private key",
  cloud: "the credentials of a cloud account",
  environment: "the secrets of an environment",
  logins: "saved logins",
  browser: "a browser's logins",
} as const;
export type SecretFileKind = keyof typeof SECRET_FILE_KINDS;

export interface SecretFile {
  readonly kind: SecretFileKind;
  /** Files of this name often hold no secret, so the content decides. */
  readonly dependsOnContent: boolean;
}

/** Files made for sharing, and encrypted files. */
const SHARED = /(?:^|[._-])(?:example|sample|template|tmpl|dist|schema)(?:[._-]|$)|\.(?:pub|md|enc|age|asc|sops)$/i;
const SSH_HARMLESS = /\/\.ssh\/(?:known_hosts[\w.]*|config(?:\.d\/.*)?|authorized_keys2?|environment|rc)$/;

const certain = (kind: SecretFileKind, path: RegExp) => ({ kind, path, dependsOnContent: false });
const perhaps = (kind: SecretFileKind, path: RegExp) => ({ kind, path, dependsOnContent: true });

/** The first match counts. A name may contain a `*`, as on a command line. */
const FILES = [
  certain("keys", /\/(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?|\.ssh\/[^/]+|\.gnupg\/(?:private-keys|secring).*)$/),
  certain("keys", /\.(?:p12|pfx|jks|keystore|kdbx|ppk|keytab)$/i),
  perhaps("keys", /\.(?:pem|key|p8)$/i),
  certain("cloud", /\/\.aws\/(?:credentials|(?:sso|cli)\/cache\/.*)$/),
  certain(
    "cloud",
    /\/(?:\.config\/)?gcloud\/(?:credentials\.db|access_tokens\.db|application_default_.*|legacy_cred.*)$/,
  ),
  certain("cloud", /\/\.azure\/(?:accessTokens|msal_token_cache|service_principal)[^/]*$/),
  certain("cloud", /\/(?:\.kube\/config|\.terraform\.d\/credentials\.tfrc\.json|\.boto|\.s3cfg)$/),
  perhaps(
    "cloud",
    /\/(?:[\w.-]*kubeconfig|service[-_]?account[\w-]*\.json|credentials\.(?:json|ini|ya?ml|csv)|client_secret[\w.-]*\.json)$/i,
  ),
  certain("environment", /\/\.env(?:\.(?:local|prod(?:uction)?|staging|live)(?:\.local)?|[*?].*)?$/),
  perhaps(
    "environment",
    /\/(?:\.env\.[\w.-]+|[\w-]+\.env|\.envrc|\.dev\.vars|secrets?\.(?:json|ya?ml|toml|env|txt))$/i,
  ),
  certain(
    "logins",
    /\/(?:[._]netrc|\.pgpass|\.git-credentials|\.vault-token|\.cargo\/credentials(?:\.toml)?|\.gem\/credentials)$/,
  ),
  certain(
    "logins",
    /\/(?:\.claude\/\.credentials\.json|\.config\/gh\/hosts\.yml|\.password-store\/.*|\.local\/share\/keyrings\/.*)$/,
  ),
  // How this machine logs in to its fleet, see fleet/connection.
  certain("logins", /\/fleet\/connection\.json$/),
  certain("logins", /^\/(?:etc\/g?shadow|proc\/(?:self|\d+)\/environ)$/),
  perhaps(
    "logins",
    /\/(?:\.npmrc|\.pypirc|\.my\.cnf|\.htpasswd|\.yarnrc\.yml|auth\.json|\.docker\/config\.json|rclone\.conf)$/,
  ),
  certain(
    "browser",
    /\/(?:[^/]*(?:chrom|brave|edge|opera|vivaldi)[^/]*\/.*\/)(?:Cookies|Login Data|Web Data|Local State)$/i,
  ),
  certain("browser", /\/(?:firefox|\.mozilla|thunderbird|zen)\/.*\/?(?:key4\.db|logins\.json|cookies\.sqlite)$/i),
  certain("browser", /\/Library\/(?:Keychains\/.*|Cookies\/Cookies\.binarycookies)$/),
];

/** The kind of secret that a file of this name holds. The path must be absolute. */
export function secretFileOf(path: string): SecretFile | undefined {
  if (SHARED.test(posix.basename(path)) || SSH_HARMLESS.test(path)) return undefined;
  const found = FILES.find((file) => file.path.test(path));
  return found && { kind: found.kind, dependsOnContent: found.dependsOnContent };
}

export function holdsSecret(text: string): boolean {
  return findSecrets(text).length > 0;
}
