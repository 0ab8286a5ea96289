package org.pydl4j.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.DeployMessages.MasterStateResponse;
import org.apache.spark.deploy.DeployMessages.RequestMasterState$;
import org.apache.spark.deploy.LocalSparkCluster;
import org.apache.spark.deploy.LocalSparkCluster$;
import org.apache.spark.deploy.master.WorkerInfo;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcTimeout;
import org.apache.spark.util.Utils;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;
import scala.Option;
import scala.concurrent.duration.FiniteDuration;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** What Spark's standalone master and workers know of executors, and do not tell the driver: those that ended before they registered. */
final class Standalone {
    private static final long PATIENCE_SECONDS = 3;

    private Standalone() {}

    /** Executors of this application that have ended, by their numbers, with the pages of what they wrote to stderr; none on other clusters. */
    static Map<Integer, String> ended(SparkContext sc) throws IOException {
        Map<Integer, String> pages = new TreeMap<>();
        for (String worker : workers(sc)) {
            for (JsonNode executor : Json.parse(Http.get(worker + "/json/")).path("finishedexecutors")) {
                if (executor.required("appid").asText().equals(sc.applicationId())) {
                    int id = executor.required("id").asInt();
                    pages.put(id, worker + "/logPage/?appId=" + sc.applicationId() + "&executorId=" + id + "&logType=stderr");
                }
            }
        }
        return pages;
    }

    /** Addresses of their web pages. */
    private static List<String> workers(SparkContext sc) throws IOException {
        if (sc.master().startsWith("spark://")) {
            return ofMasters(sc.master());
        }
        Option<LocalSparkCluster> local = LocalSparkCluster$.MODULE$.get();
        return sc.master().startsWith("local-cluster") && local.isDefined() ? ofLocal(local.get()) : List.of();
    }

    private static List<String> ofMasters(String urls) {
        ClassTag<MasterStateResponse> tag = ClassTag$.MODULE$.apply(MasterStateResponse.class);
        RpcTimeout timeout = new RpcTimeout(new FiniteDuration(PATIENCE_SECONDS, TimeUnit.SECONDS), "pydl4j");
        List<String> pages = new ArrayList<>();
        for (String url : Utils.parseStandaloneMasterUrls(urls)) { // one of them is active, and has the workers
            MasterStateResponse state = SparkEnv.get().rpcEnv()
                    .setupEndpointRef(RpcAddress.fromSparkURL(url), "Master")
                    .askSync(RequestMasterState$.MODULE$, timeout, tag);
            for (WorkerInfo worker : state.workers()) {
                pages.add(worker.webUiAddress());
            }
        }
        return pages;
    }

    private static List<String> ofLocal(LocalSparkCluster cluster) throws IOException {
        List<String> pages = new ArrayList<>();
        String master = "http://" + Utils.localHostName() + ":" + cluster.masterWebUIPort() + "/json/";
        for (JsonNode worker : Json.parse(Http.get(master)).path("workers")) {
            pages.add(worker.required("webuiaddress").asText());
        }
        return pages;
    }
}
