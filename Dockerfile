FROM node:26.10.0-slim AS web
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts && npm run build

FROM node:26.10.0-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0
COPY package.json package-lock.json .npmrc LICENSE ./
COPY contract/package.json contract/
COPY client/package.json client/
COPY scheduler/package.json scheduler/
COPY quick-add/package.json quick-add/
COPY ical/package.json ical/
COPY caldav/package.json caldav/
COPY recurrence/package.json recurrence/
COPY server/package.json server/
COPY proof/package.json proof/
COPY web/package.json web/
# The image is the Node that package.json pins, and PostgreSQL is another container: no optional ones.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force
COPY contract contract
COPY scheduler scheduler
COPY quick-add quick-add
COPY ical ical
COPY caldav caldav
COPY recurrence recurrence
COPY server server
COPY --from=web /app/web/dist web/dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--import", "./server/bin/runtime.mjs", "server/bin/start.ts"]
