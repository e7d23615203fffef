import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// What the service handles, on the port where `npm run dev` starts it.
const service = { target: `http://127.0.0.1:${process.env.SERVICE_PORT ?? 8787}`, ws: true };

export default defineConfig({
  plugins: [react()],
  // wrangler writes its own files while it serves.
  server: { proxy: { "^/(api|demo)/": service }, watch: { ignored: ["**/.wrangler/**"] } },
  test: { environment: "jsdom", include: ["src/**/*.test.tsx"] },
});
