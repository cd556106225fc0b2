/** What every deployment must give. */
export const neededValues = 'publicUrl=https://payments.example,secret.name=engine,temporal.address=t:7233';

/** Sets of values, as for `--set`, that between them switch on everything that the chart can have. */
export const valueSets: readonly string[] = [
  '',
  'purge.isOn=true,purge.retentionDays.live.apiCalls=400,purge.retentionDays.live.timeline=3650,purge.secret=p',
  'metrics.isOn=true',
  'metrics.isOn=true,metrics.hasOperator=true,metrics.labels.release=prom,serviceAccount=sa',
  'worker.autoscaling.by=cpu,api.autoscaling.isOn=false,worker.strategy=RollingUpdate',
  'worker.autoscaling.by=backlog,worker.autoscaling.authentication=a,temporal.tls.serverName=x',
  'secret.hasConsoleUsers=true,secret.hasConsoleOidc=true,secret.hasTemporalApiKey=true,database.authoritySecret=d,' +
    'temporal.tls.isOn=true,temporal.tls.authoritySecret=a,temporal.tls.clientSecret=c,migrations.roles.api=engine_api',
  'networkPolicy.isOn=false,api.nodeSelector.a=b,api.tolerations[0].operator=Exists,worker.nodeSelector.x=y,' +
    'image.pullSecrets[0].name=x',
  'worker.versions.isOn=true',
  'worker.versions.isOn=true,temporal.tls.isOn=true,temporal.tls.clientSecret=c,temporal.tls.serverName=x,' +
    'temporal.tls.authoritySecret=a,worker.versions.rollout.strategy=Progressive,' +
    'worker.versions.rollout.steps[0].rampPercentage=10,worker.versions.rollout.steps[0].pauseDuration=5m',
  'worker.versions.isOn=true,secret.hasTemporalApiKey=true,temporal.tls.isOn=true,metrics.isOn=true,' +
    'metrics.hasOperator=true',
];
