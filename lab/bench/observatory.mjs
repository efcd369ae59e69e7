// The grades of MDN's HTTP Observatory, by its own code, for a site of this machine that has no name in the DNS.
// node lab/bench/observatory.mjs FOLDER_OF_THE_PACKAGE HOST HTTP_PORT HTTPS_PORT; prints JSON. HOST's certificate comes by
// NODE_EXTRA_CA_CERTS.

import { existsSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, host, http, https] = process.argv.slice(2);

// Requests to the usual ports go to those of this machine, and none to another host.
const ports = { 80: Number(http), 443: Number(https) };
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  const [options, done] = Array.isArray(given[0]) ? given[0] : given;
  return connect.call(this, { ...options, host: "127.0.0.1", port: ports[options.port] }, done);
};

// Its installation would download browsers' list of preloaded hosts, which this one is not on.
const preloaded = path.join(folder, "conf/hsts-preload.json");
if (!existsSync(preloaded)) writeFileSync(preloaded, "{}");

const { scan } = await import(pathToFileURL(path.join(folder, "src/scanner/index.js")).href);
const { scan: whole, tests } = await scan(host);
const modifiers = Object.entries(tests).map(([name, { result, scoreModifier }]) => [name, result, scoreModifier]);
console.log(JSON.stringify({ score: whole.score, grade: whole.grade, modifiers }));
