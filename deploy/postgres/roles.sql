-- The roles of a deployment, made once in the engine's database by a superuser or the database's owner. It can be run
-- again. Passwords: `\password engine_api`, or what your platform does instead.
-- engine_owner owns the schema (`npm run migrate`); the others only read and write rows: what each may do with which
-- table is given by `npm run migrate` with API_ROLE, WORKER_ROLE and PURGE_ROLE.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['engine_owner', 'engine_api', 'engine_worker', 'engine_purge'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole', role_name);
    end if;
    execute format('grant connect on database %I to %I', current_database(), role_name);
    execute format('grant usage on schema public to %I', role_name);
  end loop;
  execute format('revoke all on database %I from public', current_database());
end
$$;

revoke create on schema public from public;
grant create on schema public to engine_owner;
