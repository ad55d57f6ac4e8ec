"""What a ConfigProto is made of: its messages, the fields of each, their types and numbers.

The names of messages are those of TensorFlow 2.21, without its package. Other releases have fewer
fields, and none of another type or number. What is not here is not checked.
"""

from __future__ import annotations

from tfgpu.dataclass import dataclass

# Of each field: its name, its number and its type; a `*` is before the type of a repeated field.
_FIELDS = {
    "ConfigProto": """
        device_count 1 *DeviceCountEntry, intra_op_parallelism_threads 2 int32,
        inter_op_parallelism_threads 5 int32, use_per_session_threads 9 bool,
        session_inter_op_thread_pool 12 *ThreadPoolOptionProto, placement_period 3 int32,
        device_filters 4 *string, gpu_options 6 GPUOptions, pluggable_device_options 18 GPUOptions,
        allow_soft_placement 7 bool, log_device_placement 8 bool, graph_options 10 GraphOptions,
        operation_timeout_in_ms 11 int64, rpc_options 13 RPCOptions, cluster_def 14 ClusterDef,
        isolate_session_state 15 bool, share_cluster_devices_in_session 17 bool,
        experimental 16 ConfigProto.Experimental""",
    "DeviceCountEntry": """
        key 1 string, value 2 int32""",
    "ThreadPoolOptionProto": """
        num_threads 1 int32, global_name 2 string""",
    "GPUOptions": """
        per_process_gpu_memory_fraction 1 double, allow_growth 4 bool, allocator_type 2 string,
        deferred_deletion_bytes 3 int64, visible_device_list 5 string,
        polling_active_delay_usecs 6 int32, polling_inactive_delay_msecs 7 int32,
        force_gpu_compatible 8 bool, experimental 9 GPUOptions.Experimental""",
    "GPUOptions.Experimental": """
        virtual_devices 1 *VirtualDevices, num_virtual_devices_per_gpu 15 int32,
        use_unified_memory 2 bool, num_dev_to_dev_copy_streams 3 int32,
        collective_ring_order 4 string, timestamped_allocator 5 bool,
        kernel_tracker_max_interval 7 int32, kernel_tracker_max_bytes 8 int32,
        kernel_tracker_max_pending 9 int32, internal_fragmentation_fraction 10 double,
        use_cuda_malloc_async 11 bool, disallow_retry_on_allocation_failure 12 bool,
        gpu_host_mem_limit_in_mb 13 float, gpu_host_mem_disallow_growth 14 bool,
        gpu_system_memory_size_in_mb 16 int32, populate_pjrt_gpu_client_creation_info 17 bool,
        node_id 18 int32, stream_merge_options 19 StreamMergeOptions""",
    "VirtualDevices": """
        memory_limit_mb 1 *float, priority 2 *int32, device_ordinal 3 *int32""",
    "StreamMergeOptions": """
        merge_host_to_device_stream 1 bool, merge_device_to_host_stream 2 bool,
        merge_device_to_device_stream 3 bool""",
    "GraphOptions": """
        enable_recv_scheduling 2 bool, optimizer_options 3 OptimizerOptions,
        build_cost_model 4 int64, build_cost_model_after 9 int64, infer_shapes 5 bool,
        place_pruned_graph 6 bool, enable_bfloat16_sendrecv 7 bool, timeline_step 8 int32,
        rewrite_options 10 RewriterConfig""",
    "OptimizerOptions": """
        do_common_subexpression_elimination 1 bool, do_constant_folding 2 bool,
        max_folded_constant_in_bytes 6 int64, do_function_inlining 4 bool, opt_level 3 enum,
        global_jit_level 5 enum, cpu_global_jit 7 bool""",
    "RewriterConfig": """
        cpu_layout_conversion 50 enum, layout_optimizer 1 enum, constant_folding 3 enum,
        shape_optimization 13 enum, remapping 14 enum, common_subgraph_elimination 24 enum,
        arithmetic_optimization 7 enum, dependency_optimization 8 enum, loop_optimization 9 enum,
        function_optimization 10 enum, debug_stripper 11 enum, disable_model_pruning 2 bool,
        scoped_allocator_optimization 15 enum, pin_to_host_optimization 18 enum,
        implementation_selector 22 enum, auto_mixed_precision 23 enum,
        auto_mixed_precision_mkl 25 enum, auto_mixed_precision_onednn_bfloat16 31 enum,
        auto_mixed_precision_cpu 29 enum, disable_meta_optimizer 19 bool,
        disable_tfg_optimizer 32 bool, use_plugin_optimizers 28 enum,
        experimental_conditional_code_motion 30 enum, meta_optimizer_iterations 12 enum,
        min_graph_nodes 17 int32, experimental_disable_compressed_tensor_optimization 26 bool,
        experimental_disable_folding_quantization_emulation 27 bool, memory_optimization 4 enum,
        memory_optimizer_target_node_name_scope 6 string, meta_optimizer_timeout_ms 20 int64,
        auto_parallel 5 AutoParallelOptions, fail_on_optimizer_errors 21 bool,
        scoped_allocator_opts 16 ScopedAllocatorOptions, optimizers 100 *string,
        custom_optimizers 200 *CustomGraphOptimizer,
        inter_optimizer_verifier_config 300 VerifierConfig,
        post_optimization_verifier_config 301 VerifierConfig""",
    "AutoParallelOptions": """
        enable 1 bool, num_replicas 2 int32""",
    "ScopedAllocatorOptions": """
        enable_op 1 *string""",
    "CustomGraphOptimizer": """
        name 1 string, parameter_map 2 *ParameterMapEntry""",
    "ParameterMapEntry": """
        key 1 string, value 2 AttrValue""",
    "VerifierConfig": """
        verification_timeout_in_ms 1 int64, structure_verifier 2 enum""",
    "RPCOptions": """
        use_rpc_for_inprocess_master 1 bool, compression_algorithm 2 string,
        compression_level 3 int32, cache_rpc_response 4 bool,
        disable_session_connection_sharing 5 bool, num_channels_per_target 6 int32""",
    "ClusterDef": """
        job 1 *JobDef""",
    "JobDef": """
        name 1 string, tasks 2 *TasksEntry""",
    "TasksEntry": """
        key 1 int32, value 2 string""",
    "ConfigProto.Experimental": """
        collective_group_leader 1 string, executor_type 3 string, recv_buf_max_chunk 4 int32,
        use_numa_affinity 5 bool, collective_deterministic_sequential_execution 6 bool,
        collective_nccl 7 bool, share_session_state_in_clusterspec_propagation 8 bool,
        disable_thread_spinning 9 bool, share_cluster_devices_in_session 10 bool,
        session_metadata 11 SessionMetadata, optimize_for_static_graph 12 bool,
        enable_mlir_bridge 13 bool, mlir_bridge_rollout 17 enum,
        enable_mlir_graph_optimization 16 bool, disable_output_partition_graphs 14 bool,
        xla_fusion_autotuner_thresh 15 int64, use_tfrt 18 bool, enable_multi_host 27 bool,
        tfrt_use_ifrt 32 bool, backend_server_port 28 int32, target_tpu 29 bool,
        target_gpu 30 bool, stream_merge_threshold 31 int32,
        disable_functional_ops_lowering 21 bool, xla_prefer_single_graph_cluster 22 bool,
        coordination_config 23 CoordinationServiceConfig,
        disable_optimize_for_static_graph 24 bool,
        disable_eager_executor_streaming_enqueue 26 bool,
        finalize_function_library_runtime 33 bool, finalize_resource_manager 34 bool,
        tf2xla_dump_dir 35 string, online_cost_analysis 36 bool""",
    "SessionMetadata": """
        name 1 string, version 2 int64""",
    "CoordinationServiceConfig": """
        service_type 1 string, service_leader 2 string, enable_health_check 3 bool,
        cluster_register_timeout_in_ms 4 int64, cluster_register_with_barrier 14 bool,
        heartbeat_timeout_in_ms 5 int64, coordinated_job_list 10 *CoordinatedJob,
        shutdown_barrier_timeout_in_ms 7 int64, agent_destruction_without_shutdown 8 bool,
        recoverable_jobs 9 *string, allow_new_incarnation_to_reconnect 11 bool,
        force_disable 12 bool, poll_for_error_from_service_at_startup 13 bool""",
    "CoordinatedJob": """
        name 1 string, num_tasks 2 int32""",
}


@dataclass(frozen=True, slots=True)
class FieldType:
    """The number of a field, the name of its type, and whether it can be there many times."""

    number: int
    type: str
    repeated: bool


def _read(text: str) -> dict[str, FieldType]:
    rows = (row.split() for row in text.split(","))
    return {
        name: FieldType(int(number), type_.lstrip("*"), type_.startswith("*"))
        for name, number, type_ in rows
    }


# The fields of each message by name.
MESSAGES = {name: _read(text) for name, text in _FIELDS.items()}
ROOT = "ConfigProto"


def is_repeated(path: str) -> bool:
    """Tell whether a field, or one of the messages around it, can be in a ConfigProto many times.

    device_count is none of these: of two entries with the same key the last one counts.
    """
    message = ROOT
    for name in path.split("."):
        field = MESSAGES.get(message, {}).get(name)
        if field is None or field.type == "DeviceCountEntry":
            return False
        if field.repeated:
            return True
        message = field.type
    return False
