import { Client } from 'pg';
import { expect, it } from 'vitest';
import { withDurableCommits } from '#database/connection/database.js';

const asPgReads = (address: string): unknown =>
  Reflect.get(new Client(withDurableCommits(address)), 'connectionParameters');
const server = 'postgres://engine:secret@db.example:6432/engine';

it.each([
  [server, '-c synchronous_commit=on'],
  [`${server}?sslmode=disable`, '-c synchronous_commit=on'],
  [`${server}?options=-c%20search_path%3Dengine`, '-c search_path=engine -c synchronous_commit=on'],
  [
    `${server}?connect_timeout=5&options=-c+synchronous_commit%3Doff&sslmode=disable`,
    '-c synchronous_commit=off -c synchronous_commit=on',
  ],
])('commits are durable, and the rest of the address counts: %s', (address, options) => {
  expect(asPgReads(address)).toMatchObject({ host: 'db.example', port: 6432, database: 'engine', options });
});
