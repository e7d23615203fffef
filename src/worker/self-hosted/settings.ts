// Generated from the settings (src/server/settings/table.rs). Do not edit: run `make generate`.

export const SETTINGS = [
  "TOKEN_SECRET",
  "TOKEN_SECRET_PREVIOUS",
  "API_CLIENTS",
  "TOKEN_TTL",
  "TOKEN_ISSUER",
  "TOKEN_AUDIENCE",
  "TOKEN_JWKS_URL",
  "CORS_ORIGINS",
  "READ_DEFAULT",
  "AGENT_TOOLS",
  "KV_CACHE_TTL",
  "HOT_SECONDS",
  "LOCATION_HINT",
  "JURISDICTION",
  "CONSOLE",
  "LISTENERS",
  "LIMIT_PERIOD",
  "LOG",
];
